// Exports for pages and e-mails: HTML in which no value can become markup, and the look that all pages share.
export { escapeHtml, html, Html, noHtml, safeForMail } from './values/html.js'
export { type Column, dataTable } from './values/html-table.js'
export { lookStyles } from './values/look.js'
