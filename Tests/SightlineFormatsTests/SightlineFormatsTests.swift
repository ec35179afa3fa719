// Tests of SightlineFormats.
import Testing
