// The example is the spec: it registers one test per requirement.
import '../../examples/in-process/conformance.test.js';
