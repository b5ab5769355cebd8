/** Any JSON object may be sent: the service validates it. The type of the payload is there to help. */
export type JsonObject = Readonly<Record<string, unknown>>
