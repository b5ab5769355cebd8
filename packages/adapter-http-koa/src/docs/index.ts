export { type CodePage, codePages, type ExampleText, type PlaceMeaning } from './site-files.js'
