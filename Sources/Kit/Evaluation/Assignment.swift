/// The one-to-one assignment of rows to columns with the largest total weight.
///
/// The Hungarian method (Kuhn 1955, doi:10.1002/nav.3800020109) by shortest augmenting paths.
/// - Parameters:
///   - weights: The weight of each pairing, row-major, shape [rows, columns].
///   - rows: The number of rows.
///   - columns: The number of columns.
/// - Returns: Each row's column, or nil for rows without a pairing of positive weight, shape
///   [rows].
/// - Complexity: O(n³) for n the larger side.
func bestAssignment(weights: [Double], rows: Int, columns: Int) -> [Int?] {
  requireSameCount(weights.count, rows * columns)
  // The method assigns every row, so it needs at most as many rows as columns.
  if rows > columns {
    var turned = [Double](repeating: 0, count: weights.count)
    for row in 0..<rows {
      for column in 0..<columns { turned[column * rows + row] = weights[row * columns + column] }
    }
    var result = [Int?](repeating: nil, count: rows)
    let found = bestAssignment(weights: turned, rows: columns, columns: rows)
    for case (let column, .some(let row)) in found.enumerated() { result[row] = column }
    return result
  }
  // Column 0 means "no column"; potentials keep reduced costs non-negative.
  var rowPotential = [Double](repeating: 0, count: rows + 1)
  var columnPotential = [Double](repeating: 0, count: columns + 1)
  var owner = [Int](repeating: 0, count: columns + 1)
  for row in stride(from: 1, through: rows, by: 1) {
    owner[0] = row
    var column = 0
    var slack = [Double](repeating: .infinity, count: columns + 1)
    var previous = [Int](repeating: 0, count: columns + 1)
    var visited = [Bool](repeating: false, count: columns + 1)
    repeat {
      visited[column] = true
      let current = owner[column]
      var (step, next) = (Double.infinity, 0)
      for candidate in 1...columns where !visited[candidate] {
        let cost =
          -weights[(current - 1) * columns + candidate - 1] - rowPotential[current]
          - columnPotential[candidate]
        if cost < slack[candidate] {
          slack[candidate] = cost
          previous[candidate] = column
        }
        if slack[candidate] < step { (step, next) = (slack[candidate], candidate) }
      }
      for candidate in 0...columns {
        if visited[candidate] {
          rowPotential[owner[candidate]] += step
          columnPotential[candidate] -= step
        } else {
          slack[candidate] -= step
        }
      }
      column = next
    } while owner[column] != 0
    repeat {
      owner[column] = owner[previous[column]]
      column = previous[column]
    } while column != 0
  }
  var result = [Int?](repeating: nil, count: rows)
  for column in stride(from: 1, through: columns, by: 1) where owner[column] > 0 {
    let row = owner[column] - 1
    if weights[row * columns + column - 1] > 0 { result[row] = column - 1 }
  }
  return result
}
