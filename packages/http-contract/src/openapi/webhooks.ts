import { runStates, type WebhookEvent, webhookEvents } from '@account-import/core'
import * as t from 'io-ts'
import { oneOf } from '../endpoint.js'
import { failedBySteps, frequentErrors } from '../endpoints/import-runs.js'
import { type JsonSchema, typeSchema } from './codec-schema.js'

const data = t.type({
  import_run: t.string,
  import_supplier: t.string,
  state: oneOf(runStates),
  counts: t.type({ staged: t.number, created: t.number, failed: failedBySteps }),
  errors: frequentErrors,
})

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const operation = (event: WebhookEvent): JsonSchema => ({
  operationId: event.replace('.', '-'),
  tags: ['Import runs'],
  summary: `Tells a webhook of the event ${event}, by Standard Webhooks 1.0.0.`,
  security: [],
  parameters: [
    header('webhook-id', 'Id of the event, the same for each attempt.'),
    header('webhook-timestamp', 'Seconds since 1970 of the attempt.'),
    header(
      'webhook-signature',
      'v1, and the base64 of HMAC-SHA256 over id, timestamp and body, joined by full stops.',
    ),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            type: { type: 'string', enum: [event], description: 'Name of the event.' },
            timestamp: { type: 'string', description: 'Time of the event, in UTC.' },
            data: { description: 'Run of the event, with its present counts.', ...typeSchema(data) },
          },
          required: ['type', 'timestamp', 'data'],
        },
      },
    },
  },
  responses: {
    '2XX': { description: 'Accepted. The body is not read.' },
    '410': { description: 'Ends the webhook. After any other status the message is sent again.' },
  },
})

/** The messages that the service sends, by the name of their event. */
export const webhooks: JsonSchema = Object.fromEntries(
  webhookEvents.map((event) => [event, { post: operation(event) }]),
)
