import Foundation
import Recognition
import TestTools
import Testing

@testable import CInterface

@Suite("Heads by the C interface")
struct HeadChoiceTests {
  /// A model without taught drawings.
  private func model() throws -> UInt64 {
    Handles.keep(.model(try SharedModel(path: "\(Repository.path)/models/base-slim.drawml")))
  }

  private func described(_ model: UInt64) throws -> String {
    var text: OwnedText?
    #expect(told(describeModel(model, &text)) == nil)
    let json = try #require(told(text))
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let head = try JSONSerialization.data(
      withJSONObject: try #require(object?["head"]), options: .sortedKeys)
    return String(decoding: head, as: UTF8.self)
  }

  @Test(
    "A head is described as it was chosen, with standard values for what was left out",
    arguments: [
      (#"{"head":"plda"}"#, #"{"head":"plda"}"#),
      (#"{"head":"prototype"}"#, #"{"head":"prototype"}"#),
      (#"{"head":"knn"}"#, #"{"head":"knn","neighbors":5,"uniform":false}"#),
      (
        #"{"head":"knn","neighbors":1,"uniform":true}"#,
        #"{"head":"knn","neighbors":1,"uniform":true}"#
      ),
      (#"{"head":"linear","balance":1}"#, #"{"balance":1,"head":"linear","penalty":0.001}"#),
    ])
  func chosen(json: String, description: String) throws {
    let model = try model()
    #expect(told(setHead(model, json)) == nil)
    #expect(try described(model) == description)
    #expect(told(release(model)) == nil)
  }

  @Test(
    "An unknown head or setting is an error that names what is possible, and changes nothing",
    arguments: [
      (#"{"head":"tree"}"#, "there is no head tree; it can be knn, prototype, linear, plda"),
      (
        #"{"head":"plda","neighbours":3}"#,
        "neighbours is not a setting of a head; it can be head, neighbors, uniform, penalty or "
          + "balance"
      ),
      (
        #"{"head":"plda","neighbors":3}"#,
        "neighbors and uniform go with the head knn; leave them out"
      ),
      (
        #"{"head":"knn","penalty":3}"#,
        "penalty and balance go with the head linear; leave them out"
      ),
      (#"{"head":"knn","neighbors":0}"#, "neighbors is 0; it must be from 1 to 10000"),
      (#"{"head":"linear","penalty":-1}"#, "penalty is -1; it must be from 0 to 1000000"),
      (#"{"head":"linear","balance":2}"#, "balance is 2; it must be from 0 to 1"),
      (#"{"neighbors":3}"#, "head is missing"),
    ])
  func refused(json: String, problem: String) throws {
    let model = try model()
    let before = try described(model)
    #expect(told(setHead(model, json)) == problem)
    #expect(try described(model) == before)
    #expect(told(release(model)) == nil)
  }

  @Test("What is not JSON is an error", arguments: ["", "{", "[]", "knn"])
  func malformed(json: String) throws {
    let model = try model()
    #expect(told(setHead(model, json)) != nil)
    #expect(told(setHead(model, nil)) == "the text of the head is NULL")
    #expect(told(release(model)) == nil)
  }
}
