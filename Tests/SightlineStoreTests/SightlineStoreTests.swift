// Tests of SightlineStore.
import Testing
