// Tests of SightlineCamera.
import Testing
