// Tests of SightlineScene.
import Testing
