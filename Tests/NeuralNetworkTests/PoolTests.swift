import NeuralNetwork
import Testing

@Suite("Pools")
struct PoolTests {
  @Test("What is put back is taken again, by one at a time")
  func taking() {
    let pool = Pool<[Int]>()
    #expect(pool.take() == nil)
    pool.putBack([1])
    pool.putBack([2])
    #expect(Set([pool.take(), pool.take()]) == [[1], [2]])
    #expect(pool.take() == nil)
  }

  @Test("Many tasks at once never share a value, and make no more than there are tasks")
  func sharing() async {
    let pool = Pool<Int>()
    let made = await withTaskGroup(of: Set<Int>.self) { group in
      for task in 0..<8 {
        group.addTask {
          var seen: Set<Int> = []
          for step in 0..<200 {
            // Each task would make numbers of its own.
            let value = pool.take() ?? task * 1000 + step
            seen.insert(value)
            pool.putBack(value)
          }
          return seen
        }
      }
      var all: Set<Int> = []
      for await seen in group { all.formUnion(seen) }
      return all
    }
    var left: [Int] = []
    while let value = pool.take() { left.append(value) }
    #expect(Set(left) == made)
    #expect(left.count == made.count, "no value is there twice")
    #expect(left.count <= 8)
  }
}
