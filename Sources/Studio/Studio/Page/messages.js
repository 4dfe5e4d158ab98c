// The messages that the requirements give word for word (apostrophes are U+2019).

export const messages = {
  unreadable: "Couldn’t read drawing. Please try again.",
  noEmoji: "Please pick an emoji first.",
  notSaved: "Couldn’t save sample.",
  notTrained: "Training failed. Please try again.",
  notClassified: "Couldn’t classify. Try again.",
  notRecognized: "Couldn’t classify that drawing.",
  nothingToUndo: "Nothing to undo.",
  paused: "Live check paused. Try again.",
  confused: "Try a simpler outline.",
  trainFirst: "Train the model first.",
  sure: "Are you sure?",
};
