import Hummingbird

/// `GET /v1/openapi.json`: what this API is, for programs (OpenAPI 3.1). For everybody who may connect.
struct DescriptionRoutes {
    func add(to group: RouterGroup<ServiceContext>) {
        group.get("openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_json)))
        }
    }
}
