/** The envelope of everything that went well. */
export function succeed<Data>(data: Data): { success: true; data: Data } {
  return { success: true, data }
}
