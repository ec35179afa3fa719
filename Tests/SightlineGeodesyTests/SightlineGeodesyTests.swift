// Tests of SightlineGeodesy.
import Testing
