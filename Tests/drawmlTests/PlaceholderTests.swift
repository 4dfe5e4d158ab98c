// Placeholder until this room's first tests land.
