import { lookStyles } from '@account-import/core/adapter-kit'

/** The stylesheet of the console: the look of all pages, and the layout of these. */
export const consoleStyles = `${lookStyles}
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1.25rem}
header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 1rem;padding-top:.75rem}
`
