export {
  codeFacts,
  type CodeFacts,
  type ExampleText,
  type Guide,
  type Guides,
  onOneLine,
} from './code-facts.js'
export { codeGuides } from './site-files.js'
