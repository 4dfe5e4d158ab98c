func logarithm(_ value: Double) -> Double { log(value) }
func cosine(_ value: Double) -> Double { cos(value) }
