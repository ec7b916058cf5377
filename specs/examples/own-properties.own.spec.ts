// The example is the spec: it registers its properties as tests.
import '../../scenarios/examples/own-properties.js';
