internal import Hummingbird
internal import Workspace

/// The local web studio.
public struct Studio: Sendable {}
