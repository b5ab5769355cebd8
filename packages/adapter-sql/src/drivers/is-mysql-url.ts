const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Whether the text is a `mysql://` URL whose user, password and database can be percent-decoded. */
export const isMysqlUrl = (text: string): boolean => {
  if (!text.startsWith('mysql://') || !URL.canParse(text)) return false
  const { username, password, pathname } = new URL(text)
  return [username, password, pathname].every(isDecodable)
}
