// Exports for pages and e-mails: HTML in which no value can become markup, and the look that all pages share.
export { escapeHtml, html, Html, noHtml, safeForMail } from './values/html.js'
export { type Column, dataTable, stackedBar } from './values/html-parts.js'
export { lookStyles } from './values/look.js'
