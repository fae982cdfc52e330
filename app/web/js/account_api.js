/** Accounts over REST: docs/accounts.md. */

/** @import {Me} from "./api.js" */
import { request } from "./api.js";

/** @typedef {Me & {recovery_code: string}} MeWithCode the code is told this once */

export const EXPORT_ADDRESS = "/api/me/export";

/**
 * An account for the player of this browser, or for a new one.
 * @param {{user_name: string, password: string}} wanted
 * @returns {Promise<MeWithCode>}
 */
export function register(wanted) {
  return request("POST", "/api/accounts", wanted);
}

/**
 * @param {{user_name: string, password: string}} given
 * @returns {Promise<Me>}
 */
export function signIn(given) {
  return request("POST", "/api/sessions", given);
}

/** @returns {Promise<void>} */
export function signOut() {
  return request("DELETE", "/api/sessions/current");
}

/** @returns {Promise<void>} */
export function signOutEverywhere() {
  return request("DELETE", "/api/sessions");
}

/**
 * A new password by the recovery code.
 * @param {{user_name: string, recovery_code: string, password: string}} given
 * @returns {Promise<MeWithCode>}
 */
export function recover(given) {
  return request("POST", "/api/accounts/recovery", given);
}

/**
 * @param {{password: string}} given
 * @returns {Promise<{recovery_code: string}>}
 */
export function renewRecoveryCode(given) {
  return request("POST", "/api/me/recovery-code", given);
}

/**
 * @param {{password: string, new_password: string}} given
 * @returns {Promise<void>}
 */
export function changePassword(given) {
  return request("PUT", "/api/me/password", given);
}

/**
 * The player of this browser for good: an account by its password.
 * @param {{password?: string}} given
 * @returns {Promise<void>}
 */
export function deleteMe(given) {
  return request("DELETE", "/api/me", given);
}
