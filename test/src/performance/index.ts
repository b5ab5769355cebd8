export { machineText } from './machine-text.js'
export { markdownTable } from './markdown-table.js'
export { saveTable } from './save-table.js'
