// The example is the spec: it registers its properties as tests.
import '../../examples/in-process/own-properties.test.js';
