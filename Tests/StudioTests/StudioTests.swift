import HummingbirdTesting
import Testing

@testable import Studio
