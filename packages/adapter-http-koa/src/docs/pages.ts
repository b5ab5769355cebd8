// Every page of the documentation. They are loaded together, when somebody first asks for one.
export { endpointPage } from './endpoint-page.js'
export { errorIndexPage, errorPage, noErrorPage } from './error-pages.js'
export { pageStyle } from './page.js'
export { searchable, searchPage, sectionsOf } from './search.js'
export { docsPage, interactivePage, noPage, sitePage } from './site-pages.js'
