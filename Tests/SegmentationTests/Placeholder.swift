import Testing

@Suite("Segmentation") struct SegmentationTests {}
