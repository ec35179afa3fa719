// Tests of SightlineServer.
import Testing
