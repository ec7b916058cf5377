// The example is the spec.
import '../../examples/state-machine/cancelled.test.js';
