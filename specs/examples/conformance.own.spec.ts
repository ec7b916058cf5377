// The example is the spec: it registers one test per requirement.
import '../../scenarios/examples/conformance.js';
