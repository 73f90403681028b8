/** The role whose agents and limits apply to a session or an attempt. */
export function admittedRole({
  role,
  admittedAs = role,
}: {
  readonly role: string
  readonly admittedAs?: string
}): string {
  return admittedAs
}
