// Tests of SightlineEngine.
import Testing
