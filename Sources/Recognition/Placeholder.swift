// Placeholder until this room's first file lands.
