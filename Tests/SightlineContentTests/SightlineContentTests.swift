// Tests of SightlineContent.
import Testing
