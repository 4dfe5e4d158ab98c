import Testing

extension WorkspaceCommandLineTests {
  @Suite("A name server that does not answer")
  struct SlowNameServerTests {
    /// Runs a shell in a network of its own, with its own list of name servers.
    private static let shell = "unshare --net --mount --map-root-user /bin/bash"

    /// Asks three name servers that take every question and answer none, as the system does for half
    /// a minute.
    private static let servers = """
      import fcntl, socket, struct, time
      server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      # The loopback device is up.
      fcntl.ioctl(server, 0x8914, struct.pack("16sH14x", b"lo", 0x41))
      server.bind(("", 53))
      open("up", "w").close()
      time.sleep(60)

      """

    private static func canIsolate() async throws -> Bool {
      let folder = try TestFolder()
      try folder.write("", to: "resolv")
      let run = try await Program.shell(
        "\(shell) -c 'mount --bind resolv /etc/resolv.conf && python3 -c \"import fcntl\"'",
        in: folder)
      return run.status == 0
    }

    @Test(
      "The ten seconds for a picture hold all the same",
      .enabled("networks can be made here") { try await canIsolate() })
    func slow() async throws {
      let folder = try TestFolder()
      try folder.write(Self.servers, to: "servers.py")
      let run = try await folder.shell(
        """
        printf 'nameserver 127.0.0.%d\\n' 1 2 3 > resolv
        export drawml; \(Self.shell) -c '
        mount --bind resolv /etc/resolv.conf || exit 9
        python3 servers.py & server=$!
        until [ -e up ]; do sleep 0.1; done
        timeout 20 "$drawml" trace add https://slow.example/a.png --allow templates --workspace w
        echo $?; kill $server'
        """)
      #expect(run.output == "1\n", "\(run.errors)")
      #expect(run.errors.contains("https://slow.example/a.png"))
    }
  }
}
