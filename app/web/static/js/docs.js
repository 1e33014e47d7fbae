// Draw the API's description; without the library, point to the description itself.
if (typeof SwaggerUIBundle === "function") {
  SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: false, validatorUrl: null });
} else {
  const link = document.createElement("a");
  link.href = "/openapi.json";
  link.textContent = "The page's libraries were not placed when this was installed; the description is at /openapi.json.";
  document.getElementById("api").replaceChildren(link);
}
