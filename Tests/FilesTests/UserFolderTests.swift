import Files
import Testing

@Suite("The folders of a user")
struct UserFolderTests {
  @Test("They are those of the XDG specification")
  func paths() {
    let cache: ([String: String]) -> String = { UserFolder.cache.path(environment: $0) }
    #expect(cache(["XDG_CACHE_HOME": "/c", "HOME": "/home/a"]) == "/c/drawml")
    #expect(cache(["XDG_CACHE_HOME": "c", "HOME": "/home/a"]) == "/home/a/.cache/drawml")
    #expect(cache(["XDG_DATA_HOME": "/d", "HOME": "/home/a"]) == "/home/a/.cache/drawml")
    #expect(UserFolder.data.path(environment: ["XDG_DATA_HOME": "/d"]) == "/d/drawml")
  }
}
