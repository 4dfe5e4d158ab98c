internal import CReleasedModel
internal import GRDB

/// The user's models, labels, samples, settings, history and playgrounds (D-001 … D-007).
public struct Workspace: Sendable {}
