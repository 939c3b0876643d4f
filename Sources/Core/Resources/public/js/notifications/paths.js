/** The address of the list of notifications. */
export const notificationsPage = "/notifications";
