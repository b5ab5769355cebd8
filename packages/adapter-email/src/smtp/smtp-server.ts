/** Where e-mails are handed over. */
export type SmtpServer = Readonly<{
  host: string
  port: number
  /**
   * `implicit`: TLS from the first byte; `required`: STARTTLS, or nothing is sent; `off`: plain text. Certificates are
   * always verified.
   */
  tls: 'implicit' | 'required' | 'off'
  credentials: Readonly<{ user: string; password: string }> | undefined
  /** PEM of authorities to trust in place of the bundled ones. */
  authorities?: string
}>
