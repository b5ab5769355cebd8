export { requestBodies } from '../bodies.js'
export { accountPayloadSchema } from './codec-schema.js'
export type { JsonSchema } from './codec-schema.js'
export { openApiDocument } from './open-api-document.js'
