// Pages of a service, such as the console, answer requests with these parts of the API.
export { endWithAccess, sessionOf } from './admission.js'
export { noteFailure, refuse, refused, type Reply, send } from './answers.js'
export { formOf } from './body/whole-body.js'
export { type AppContext, type AppState, isClientGone, type Session } from './context.js'
export { htmlType, pagePolicy } from './docs/mount-docs.js'
export { siteFiles } from './docs/site-files.js'
