/** What a role may be called: lower-case letters, digits and hyphens. */
export const ROLE_NAME = /^[a-z][a-z0-9-]{0,63}$/
