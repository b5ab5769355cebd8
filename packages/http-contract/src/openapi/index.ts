export { requestBodies } from '../bodies.js'
export { accountPayloadSchema, type JsonSchema } from './codec-schema.js'
export { statusesOf } from './problem-responses.js'
export { openApiDocument } from './open-api-document.js'
