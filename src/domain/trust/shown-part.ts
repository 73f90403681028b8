import type { GuardedPart } from './guarded-part.ts'

/**
 * The part as it may be shown: complete, except the key of an agent. Both the name and the value must look like a key,
 * because a file could otherwise hide what the person decides about: `PASSWORD_COMMAND` names a program, and a path or
 * an address is never hidden.
 */
export function shownPart(part: GuardedPart): GuardedPart {
  const [, variable = ''] = /^agents\..+\.env\.([^.]+)$/.exec(part.field) ?? []
  if (!KEY_NAME.test(variable) || !KEY_VALUE.test(part.value)) return part
  return { ...part, value: `(a key of ${part.value.length} characters)` }
}

/** A variable that is a key, not one about a key, such as `GIT_CONFIG_KEY_0` or `TOKEN_FILE`. */
const KEY_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)$/i

/** One word with a digit, or long base64, or a JSON web token. */
const KEY_VALUE =
  /^(?:(?=\D*\d)[\w+=-]{8,}|(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9][\w+/=-]{31,}|eyJ[\w-]+\.[\w-]+\.[\w-]*)$/
