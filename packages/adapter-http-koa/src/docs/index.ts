export { type CodePage, codePages, type ExampleText } from './site-files.js'
