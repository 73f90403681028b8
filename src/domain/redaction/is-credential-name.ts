const CREDENTIAL = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH)(?:_|$)/i

/** Whether a variable's name says that its value is secret: `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `db_password`. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL.test(name)
}
