import Testing

@testable import Workspace
