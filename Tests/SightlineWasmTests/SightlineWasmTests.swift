// Tests of SightlineWasm.
import Testing
