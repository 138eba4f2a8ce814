/* For `npm start`: builds the program from the source as it is. Types, and the files of the library, are left to `npm run build`. */
import './check-installed.js';

console.error('Building Retake (some seconds), then measuring suites/demo.yaml.');
for (const step of ['page-scripts', 'bundle']) await import(`./${step}.js`);
