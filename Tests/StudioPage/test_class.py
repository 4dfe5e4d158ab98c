"""A class on one server: each browser has its own sheet, and may have its own model."""

from playwright.sync_api import expect


def choice(person):
    return person.page.get_by_label("This browser uses")


def named(person, name):
    expect(person.page.locator(".model-chip .model-name")).to_have_text(name)


def test_a_browser_chooses_its_model_for_itself(taught, visit, notes):
    shared = taught.model["id"]
    own = taught.ask("POST", "/models", {"name": "Mine"})["id"]
    one, other = visit(taught, "models"), visit(taught, "playground")
    choice(one).select_option("Mine")
    one.hears("This browser uses “Mine” now.")
    named(one, "Mine")
    assert taught.model["id"] == shared
    # Train saves and trains it, and Classify asks it.
    one.go("Train")
    for index in (31, 32):
        one.pick("⭐")
        one.draw("star", index)
        one.press("Add Sample")
        one.hears(f"Saved. That makes {index - 30}.")
    assert len(taught.samples()) == 40
    drawings = f"/models/{own}/samples"
    assert len(taught.ask("GET", drawings)["samples"]) == 2
    one.press("Train Model")
    one.wait_for(
        lambda: all(each["isTaught"] for each in taught.ask("GET", drawings)["samples"]),
        "it is taught",
        60,
    )
    one.draw("star", 33)
    with one.page.expect_request(lambda each: each.url.endswith("/classify")) as asked:
        one.press("Guess")
    assert f"/models/{own}/" in asked.value.url
    # The Playground uses it, also after a reload; the other browser is as before.
    one.go("Playground")
    with one.page.expect_request(lambda each: each.url.endswith("/api/playgrounds")) as opened:
        one.page.reload()
    assert opened.value.post_data_json["model"] == own
    named(one, "Mine")
    named(other, "My first model")
    other.draw("heart", 31)
    other.expect_faces(["❤️"])
    # Settings offer the same; a new model is for this browser, too.
    one.press("Settings")
    expect(choice(one)).to_have_value(own)
    choice(one).select_option(label="Shared: My first model")
    named(one, "My first model")
    assert taught.model["id"] == shared
    # When it is deleted, the shared one replaces it; some requests may still name it.
    notes.allow(404)
    choice(one).select_option("Mine")
    named(one, "Mine")
    taught.ask("DELETE", f"/models/{own}")
    one.hears("This browser’s model was deleted.")
    named(one, "My first model")
